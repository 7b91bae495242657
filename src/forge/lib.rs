//! The APIs of GitHub, GitLab, Gitea and Forgejo: pull requests, reviews, comments, statuses and deployments.
