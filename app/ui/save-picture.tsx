import { useState } from 'preact/hooks';
import { messageOf } from '../../shared/model/index.ts';
import { stillContext } from '../../shared/view/index.ts';
import { tracksNow } from './extra-tracks/tracks.ts';
import { tell } from './link/notices.tsx';
import { download } from './query/save.ts';
import { asTables, range, selection } from './state.ts';
import { detailState, loadedView, modelFor, type LoadedView } from './view-parts/load-parts.ts';

const FORMATS = ['svg', 'png'] as const;
/** So many dots a PNG has for each px of the picture; fewer where it would be higher than browsers draw. */
const DOTS = 2;
const HIGHEST_DOTS = 16_384;

/** Saves the picture of the view in use, with what is chosen in it. */
export function SavePicture() {
  const [isBusy, setBusy] = useState(false);
  const shown = loadedView.value;
  if (shown === null || asTables.value) return null;
  const save = (format: (typeof FORMATS)[number]) => () => {
    setBusy(true);
    pictureOf(shown)
      .then(async (svg) =>
        download(`${shown.view.id}.${format}`, await (format === 'svg' ? svgOf : pngOf)(svg)),
      )
      .catch((error: unknown) => tell('The picture was not saved.', [messageOf(error)]))
      .finally(() => setBusy(false));
  };
  return (
    <div class="save-picture" role="group" aria-label="Picture">
      {FORMATS.map((format) => (
        <button key={format} type="button" class="plain" disabled={isBusy} onClick={save(format)}>
          Save {format.toUpperCase()}
        </button>
      ))}
    </div>
  );
}

/** The picture of a view as `outrank view` draws it: of the range in view, with what is chosen and the tracks that the app gives. */
async function pictureOf({
  view,
  trace,
  params,
  model,
  range: loadedRange,
}: LoadedView): Promise<SVGSVGElement> {
  const drawn = view.whole === true ? range.peek() : loadedRange;
  const ofRange = drawn === loadedRange ? model : await modelFor(view, params, drawn);
  const container = document.createElement('div');
  view.draw(container, ofRange, {
    ...stillContext(trace.summary, drawn, params, selection.peek()),
    detail: detailState.peek().value,
    tracks: tracksNow(),
  });
  const svg = container.querySelector('svg');
  if (svg === null) throw new Error('This view has no picture: its tables can be copied.');
  return svg;
}

function svgOf(svg: SVGSVGElement): Promise<Blob> {
  return Promise.resolve(new Blob([`${svg.outerHTML}\n`], { type: 'image/svg+xml' }));
}

async function pngOf(svg: SVGSVGElement): Promise<Blob> {
  const url = URL.createObjectURL(await svgOf(svg));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const dots = Math.min(DOTS, HIGHEST_DOTS / image.height);
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(image.width * dots);
    canvas.height = Math.round(image.height * dots);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (blob === null) throw new Error('The browser made no PNG of it.');
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}
