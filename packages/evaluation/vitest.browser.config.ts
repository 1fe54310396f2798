import { browserPreset } from '../../config/browser-preset.ts';

export default browserPreset();
