export * from './check-panel.ts';
export type { Click } from './click.ts';
export * from './dashboard.ts';
export * from './drawing.ts';
export * from './fault.ts';
export * from './load-panel.ts';
export * from './model.ts';
export * from './panel.ts';
export { panelTracks } from './panel-track.ts';
