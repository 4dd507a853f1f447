import * as d3 from 'd3';

/** Ends a part of a drawing: what it listens to, and what it still would draw. */
export type End = () => void;

/** One end of several parts, which also clears the element that they were drawn into, where it is given. */
export function endAll(ends: readonly End[], drawnInto?: HTMLElement): End {
  return () => {
    for (const end of ends) end();
    drawnInto?.replaceChildren();
  };
}

/** Appends a section, such as a panel. */
export function addSection(parent: HTMLElement, className: string): HTMLElement {
  const element = parent.appendChild(parent.ownerDocument.createElement('section'));
  element.className = className;
  return element;
}

/** Appends a panel with its heading, and what the heading says in small print. */
export function addPanel(parent: HTMLElement, title: string, aside = ''): HTMLElement {
  const panel = addSection(parent, 'panel');
  const header = d3.select(panel).append('header').attr('class', 'section-heading');
  header.append('h2').text(title);
  if (aside !== '') header.append('p').text(aside);
  return panel;
}

/** Appends what a view cannot know; nothing if it knows all. */
export function addNotes(parent: HTMLElement, notes: readonly string[]): void {
  if (notes.length === 0) return;
  d3.select(parent)
    .append('ul')
    .attr('class', 'notes')
    .selectAll('li')
    .data(notes)
    .join('li')
    .text((note) => note);
}

/** Appends what stands in for a picture that has nothing to show. */
export function addEmpty(parent: HTMLElement, title: string, text: string): void {
  const empty = d3.select(parent).append('div').attr('class', 'empty');
  empty.append('h2').text(title);
  if (text !== '') empty.append('p').text(text);
}
