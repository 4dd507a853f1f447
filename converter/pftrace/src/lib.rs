//! pftrace
