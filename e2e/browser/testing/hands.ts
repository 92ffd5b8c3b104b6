import type { Page } from 'playwright-core';
import type { Hands } from './journey.ts';
import { press, write } from './keyboard.ts';

export const mouse: Hands = {
  press: (target) => target.click(),
  write: (target, text) => target.fill(text),
};

/** Works with the keyboard alone: Tab, Enter and typed text. */
export const keys = (page: Page): Hands => ({
  press: (target) => press(page, target),
  write: (target, text) => write(page, target, text),
});
