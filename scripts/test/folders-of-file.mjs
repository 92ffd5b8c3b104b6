import { afterAll } from 'vitest';
import { removeFoldersOfFile } from '../../lib/folders/testing/test-folder.ts';

/** Vitest runs this before each test file, so that it is the last of what comes after the file. */
afterAll(removeFoldersOfFile);
