import type { LiveStreamPorts } from './live-stream.ts';

/** Hidden pages have no animation frames, so updates run after this time. */
const frameAtLatestMs = 250;

export const browser: LiveStreamPorts = {
  fetch: (url, init) => fetch(url, init),
  now: () => Date.now(),
  random: () => Math.random(),
  setTimeout: (work, ms) => window.setTimeout(work, ms),
  clearTimeout: (timer) => window.clearTimeout(timer),
  frame: (work) => {
    let done = false;
    const once = () => {
      if (done) return;
      done = true;
      window.clearTimeout(timer);
      cancelAnimationFrame(request);
      work();
    };
    const timer = window.setTimeout(once, frameAtLatestMs);
    const request = requestAnimationFrame(once);
  },
  isOffline: () => !navigator.onLine,
  listen: (tell) => {
    const visibility = () => tell(document.visibilityState === 'hidden' ? 'hidden' : 'shown');
    const online = () => tell('online');
    document.addEventListener('visibilitychange', visibility);
    window.addEventListener('online', online);
    // The page may be opened in the background.
    if (document.visibilityState === 'hidden') visibility();
    return () => {
      document.removeEventListener('visibilitychange', visibility);
      window.removeEventListener('online', online);
    };
  },
};
