/** A setup file for Vitest: in the process of the tests, Dawn finds SwiftShader. */
import { useSoftwareVulkan } from './software-vulkan.ts';

await useSoftwareVulkan();
