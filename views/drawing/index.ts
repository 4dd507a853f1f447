export { drawPanel, drawStillPanel, type PanelContext } from './draw-panel.ts';
