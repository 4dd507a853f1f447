/** Style sheets are imported for their effect alone. */
declare module '*.css';
declare module '@fontsource-variable/inter/wght.css';
