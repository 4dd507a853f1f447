/** The only note where nothing that this view needs was recorded. */
export const UNRECORDED =
  'No threads were recorded. Record with the kernel flag PROC_THREAD (in WPR: any profile).';

/** What is missing where threads were recorded, but none came or went. */
export const NO_CHANGES =
  'No thread was created or ended here, or that was not recorded: the kernel flag PROC_THREAD tells (in WPR: any profile).';
