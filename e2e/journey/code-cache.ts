import { compiledFolder } from '#lib/folders/index.ts';

/**
 * Environment of a program that a test starts with a home of its own: it finds its code compiled, as a user's second start does, where each would
 * compile it anew. The cache is that of whoever runs the tests.
 */
export const codeCache = { NODE_COMPILE_CACHE: compiledFolder(process.env) };
