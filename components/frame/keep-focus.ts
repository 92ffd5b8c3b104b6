const canHaveFocus =
  'a[href], button:not(:disabled), input:not(:disabled):not([type=hidden]), select, textarea, summary';

/**
 * Keeps the focus where an action was taken. A button that is off while it waits, or that its own answer replaces (*Pause* by *Resume*), would leave
 * it at the top of the page, for a keyboard as for a screen reader. It goes back to the same button, or to the next place beside it. Returns what ends it.
 */
export function keepFocus(): () => void {
  let last: HTMLElement | null = null;
  /** From the element outwards, without `main`: what came in place of it stands in the nearest that is still there. */
  let around: Element[] = [];
  let path = '';
  const remember = (event: FocusEvent) => {
    const { target } = event;
    if (!(target instanceof HTMLElement)) return;
    // The content itself has the focus for who skips to it, and takes no action.
    last = target.id === 'main' ? null : target;
    path = location.pathname;
    around = [];
    for (let one = target.parentElement; one && one.tagName !== 'BODY'; one = one.parentElement) around.push(one);
  };
  // Whoever leaves a place that is still there means it (a phone's keyboard that is closed). Asked a moment later: Chrome tells of an element that is
  // removed while it still stands, and React moves an element and gives it the focus again.
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
    // Another page has a beginning of its own.
    if (path !== location.pathname || !near) return;
    // All that stood around it is gone: the first button of the page would be as good as any.
    const place = near.id === 'main' ? null : near.querySelector<HTMLElement>(canHaveFocus);
    (place ?? document.querySelector<HTMLElement>('#main h1'))?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(bring);
  // Somebody who presses on nothing wants the focus nowhere.
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
