// From the address with the token to the one without it, at the same place in the trace.
window.location.replace(`/${window.location.hash}`);
