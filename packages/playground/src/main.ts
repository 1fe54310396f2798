/** The page: puts the parts together and keeps the address in step with the configuration. */
import { firstConfiguration } from './configuration/configuration.ts';
import type { Configuration } from './configuration/configuration.ts';
import { fromLink, toLink } from './configuration/link.ts';
import { dataPanel } from './page/data-panel.ts';
import { element } from './page/element.ts';
import { exchangePanel } from './page/exchange-panel.ts';
import { mapsPanel } from './page/maps-panel.ts';
import { modelPanel } from './page/model-panel.ts';
import { notices } from './page/notices.ts';
import { createOpening } from './page/opening.ts';
import { createPlayground } from './page/playground.ts';
import { predictionsPanel } from './page/predictions-panel.ts';
import { firstState } from './page/state.ts';
import { createStore } from './page/store.ts';
import { themeButton } from './page/theme.ts';
import { trainingPanel } from './page/training-panel.ts';
import { startWorkers } from './page/workers.ts';

const store = createStore(firstState);
const playground = createPlayground(store, (onNews, onLayout) =>
  startWorkers(onNews, onLayout, (text) => store.set({ notice: { kind: 'problem', text }, status: text })),
);
const opening = createOpening(store, playground);
const maps = mapsPanel(store, playground);
document.querySelector('#actions')?.append(themeButton(store));
document
  .querySelector('#playground')
  ?.append(
    notices(store, playground),
    element(
      'div',
      { className: 'column making' },
      dataPanel(store, playground, opening),
      modelPanel(store, playground),
    ),
    element('div', { className: 'column watching' }, maps.element, predictionsPanel(store)),
    element(
      'div',
      { className: 'column training' },
      trainingPanel(store, playground),
      exchangePanel(store, playground, opening, maps.canvases),
    ),
  );

/** As the address says. If that is wrong it is said; an address on a dataset that is not open here is taken up again when it is. */
function followAddress(): void {
  const link = location.hash;
  const configuration = (): Configuration =>
    link.length < 2 ? firstConfiguration : fromLink(link, store.get().datasets);
  try {
    void playground.configure(configuration());
  } catch {
    void playground.configure(firstConfiguration);
    void playground.whenOpen(async () => playground.configure(configuration()));
  }
}

followAddress();
store.draw(['configuration'], ({ configuration }) => {
  history.replaceState(undefined, '', `#${toLink(configuration)}`);
});
// In the console: everything that the page knows.
Object.assign(globalThis, { flowgrad: { state: store.get } });
addEventListener('hashchange', followAddress);
