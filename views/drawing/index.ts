export { longestBar } from './bars.ts';
export { drawPanel, drawStillPanel, type PanelContext } from './draw-panel.ts';
