import type { Page } from 'playwright-core';
import type { Cable } from '#e2e/browser/testing/cable.ts';
import type { AConsole } from '#e2e/browser/testing/console-process.ts';

/** What a story remembers from one chapter to the next: addresses of drafts and runs by a name of its own. */
export type Memory = Map<string, string>;

export type Stage = {
  readonly console: AConsole;
  readonly cable: Cable;
  readonly memory: Memory;
};

/** One state of one screen. `arrive` brings a signed-in page there; it is called once for each theme and width that is taken. */
export type Scene = {
  readonly name: string;
  readonly arrive: (page: Page, stage: Stage) => Promise<void>;
  /** Also looked at on screens of 1920 and 2560 px. */
  readonly isAlsoBroad?: true;
  /** As on paper: one sheet's width, without what is not printed; and as the PDF itself. */
  readonly isPrinted?: true;
  /** Without a session; for the sign-in. */
  readonly session?: 'none';
  /** Puts back what `arrive` did to the stage. */
  readonly leave?: (stage: Stage) => Promise<void>;
};

/** Something that happens, by the hands of an administrator or to the console, and what can be seen after it. */
export type Chapter = {
  readonly happens: (page: Page, stage: Stage) => Promise<void>;
  readonly scenes: readonly Scene[];
};

/** Chapters in order on one console of their own. */
export type Story = {
  readonly name: string;
  readonly start: () => Promise<{ state?: string; kubeconfig?: string; end?: () => void }>;
  readonly chapters: readonly Chapter[];
};
