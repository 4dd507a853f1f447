/** The address of the script of a worker. */
declare module '*?worker&url' {
  const url: string;
  export default url;
}

/** The address of a file that the build puts with the page. */
declare module '*?url' {
  const url: string;
  export default url;
}
