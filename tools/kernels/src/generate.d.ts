/** The types of generate.js, for the TypeScript that calls it. */
export declare function generate(packageRoot: string): Promise<string[]>;
