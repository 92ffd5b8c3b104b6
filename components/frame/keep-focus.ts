const canHaveFocus =
  'a[href], button:not(:disabled), input:not(:disabled):not([type=hidden]), select, textarea, summary';

/**
 * Keeps the focus near the last action. When a button is disabled while it waits, or is replaced (*Pause* by *Resume*), the browser moves the focus to the top of
 * the page; this returns it to the same button or to the nearest focusable element. Returns a function that ends this.
 */
export function keepFocus(): () => void {
  let last: HTMLElement | null = null;
  /** Ancestors of the element below `main`; its replacement is in the nearest one that still exists. */
  let around: Element[] = [];
  let path = '';
  const remember = (event: FocusEvent) => {
    const { target } = event;
    if (!(target instanceof HTMLElement)) return;
    // `main` has the focus only after skipping to the content.
    last = target.id === 'main' ? null : target;
    path = location.pathname;
    around = [];
    for (let one = target.parentElement; one && one.tagName !== 'BODY'; one = one.parentElement) around.push(one);
  };
  // If the element still exists, the user has left it on purpose, for example by closing a phone's keyboard. The check runs in a microtask, because Chrome
  // reports the blur of a removed element while it is still connected, and because React moves an element and then focuses it again.
  const leave = ({ target }: FocusEvent) =>
    queueMicrotask(() => {
      if (target !== last || last === null || document.activeElement === last) return;
      if (last.isConnected && !last.matches(':disabled')) last = null;
    });
  const bring = () => {
    const { activeElement } = document;
    if (last === null || (activeElement !== null && activeElement !== document.body)) return;
    if (last.isConnected) {
      if (!last.matches(':disabled')) last.focus({ preventScroll: true });
      return;
    }
    const near = around.find((one) => one.isConnected);
    // Another page sets its own focus.
    if (path !== location.pathname || !near) return;
    // All ancestors are gone, so there is no nearest element.
    const place = near.id === 'main' ? null : near.querySelector<HTMLElement>(canHaveFocus);
    (place ?? document.querySelector<HTMLElement>('#main h1'))?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(bring);
  // A press on nothing removes the focus deliberately.
  const forget = (event: Event) => {
    if (event.target instanceof Element && event.target.closest(canHaveFocus) === null) last = null;
  };
  document.addEventListener('focusin', remember);
  document.addEventListener('focusout', leave);
  document.addEventListener('pointerdown', forget);
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
  return () => {
    document.removeEventListener('focusin', remember);
    document.removeEventListener('focusout', leave);
    document.removeEventListener('pointerdown', forget);
    observer.disconnect();
  };
}
