/** The page: puts the parts together and keeps the address in step with the configuration. */
import { firstConfiguration } from './configuration/configuration.ts';
import type { Configuration } from './configuration/configuration.ts';
import { fromLink, toLink } from './configuration/link.ts';
import { element } from './page/element.ts';
import { exchangePanel } from './page/exchange-panel.ts';
import { mapsPanel } from './page/maps-panel.ts';
import { modelPanel } from './page/model-panel.ts';
import { notices } from './page/notices.ts';
import { createPlayground } from './page/playground.ts';
import { predictionsPanel } from './page/predictions-panel.ts';
import { firstState } from './page/state.ts';
import { createStore } from './page/store.ts';
import { themeButton } from './page/theme.ts';
import { trainingPanel } from './page/training-panel.ts';
import { startWorkers } from './page/workers.ts';
import { worldPanel } from './page/world-panel.ts';

const store = createStore(firstState);
const playground = createPlayground(store, (onNews) =>
  startWorkers(onNews, (text) => store.set({ notice: { kind: 'problem', text }, status: text })),
);
const maps = mapsPanel(store, playground);
document.querySelector('#actions')?.append(themeButton(store));
document
  .querySelector('#playground')
  ?.append(
    notices(store, playground),
    element(
      'div',
      { className: 'column making' },
      worldPanel(store, playground),
      modelPanel(store, playground),
    ),
    element('div', { className: 'column watching' }, maps.element, predictionsPanel(store)),
    element(
      'div',
      { className: 'column training' },
      trainingPanel(store, playground),
      exchangePanel(store, playground, maps.canvases),
    ),
  );

function configurationOfAddress(): Configuration {
  if (location.hash.length < 2) return firstConfiguration;
  try {
    return fromLink(location.hash);
  } catch (error) {
    store.set({ notice: { kind: 'problem', text: (error as Error).message } });
    return firstConfiguration;
  }
}

store.set({ configuration: configurationOfAddress() });
void playground.configure(store.get().configuration);
store.draw(['configuration'], ({ configuration }) => {
  history.replaceState(undefined, '', `#${toLink(configuration)}`);
});
// In the console: everything that the page knows.
Object.assign(globalThis, { flowgrad: { state: store.get } });
addEventListener('hashchange', () => void playground.configure(configurationOfAddress()));
