import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepFocus } from './keep-focus.ts';

/** As much of a browser as the focus needs: one button in the body, and the content. */
class Place extends EventTarget {
  isConnected = true;
  isDisabled = false;
  parentElement = null;
  readonly id: string;
  constructor(id: string) {
    super();
    this.id = id;
  }
  matches = () => this.isDisabled;
  focus() {
    moveFocus(this);
  }
}

const body = new Place('body');
let button: Place;
let active: Place;
let changed: () => void;
let end: () => void;
const page = new EventTarget();

function moveFocus(to: Place) {
  const tell = (kind: string, target: Place) =>
    page.dispatchEvent(Object.defineProperty(new Event(kind), 'target', { value: target }));
  const from = active;
  active = to;
  if (from !== body) tell('focusout', from);
  if (to !== body) tell('focusin', to);
}

/** Another part of the page changes, after the reported change has been handled. */
async function changeElsewhere() {
  await Promise.resolve();
  changed();
}

beforeEach(() => {
  button = new Place('button');
  active = body;
  vi.stubGlobal('HTMLElement', Place);
  vi.stubGlobal('location', { pathname: '/' });
  const document = { body, querySelector: () => null };
  Object.defineProperty(document, 'activeElement', { get: () => active });
  for (const name of ['addEventListener', 'removeEventListener'] as const)
    Object.assign(document, { [name]: page[name].bind(page) });
  vi.stubGlobal('document', document);
  vi.stubGlobal(
    'MutationObserver',
    class {
      constructor(tell: () => void) {
        changed = tell;
      }
      observe() {}
      disconnect() {}
    },
  );
  end = keepFocus();
  button.focus();
});

afterEach(() => {
  end();
  vi.unstubAllGlobals();
});

test('a button that is off while it waits has the focus again when it is on', async () => {
  button.isDisabled = true;
  moveFocus(body);
  await changeElsewhere();
  expect(active).toBe(body);
  button.isDisabled = false;
  await changeElsewhere();
  expect(active).toBe(button);
});

test('a place that was left on purpose does not take the focus back', async () => {
  moveFocus(body);
  await changeElsewhere();
  expect(active).toBe(body);
});

test('a place that is moved, and has the focus again at once, is not forgotten', async () => {
  moveFocus(body);
  button.focus();
  await Promise.resolve();
  button.isDisabled = true;
  moveFocus(body);
  await Promise.resolve();
  button.isDisabled = false;
  await changeElsewhere();
  expect(active).toBe(button);
});

test('the content, where "Go to the content" leads, is left for good', async () => {
  const main = new Place('main');
  main.focus();
  main.isDisabled = true;
  moveFocus(body);
  main.isDisabled = false;
  await changeElsewhere();
  expect(active).toBe(body);
});
