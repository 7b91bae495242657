//! What goes to a cluster: rendered templates, laid out as works, and what their status says of health.
