/** For complaints.test.ts: the browser tests in src/complaints are there to fail. */
import { browserPreset } from '../../config/browser-preset.ts';

export default browserPreset();
