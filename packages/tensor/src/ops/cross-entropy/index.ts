export { crossEntropy } from './cross-entropy.ts';
