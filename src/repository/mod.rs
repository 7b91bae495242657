//! From the files of one commit to a typed, validated repository, with the place of every complaint.
