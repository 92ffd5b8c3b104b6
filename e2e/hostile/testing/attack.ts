/** The knowledge of the hostile page, which is more than an attacker could have. `action`: an action that creates a draft. */
export type Target = {
  url: string;
  host: string;
  slug: string;
  action: string;
  cookieName: string;
  /** Names of techniques; null: all of them. */
  only: readonly string[] | null;
};

/**
 * Runs in a page with the page's rights, and tries every technique to read or use another origin. Returns the result of each: `nothing`, `opaque`, `error`,
 * `refused …`, `no answer`; any other result is a success of the attack. Uses nothing outside of itself, because Playwright sends its text to the browser.
 */
export async function attack(target: Target): Promise<Record<string, string>> {
  const { url, host, slug, action, cookieName, only } = target;
  const page = `${url}/clusters/${slug}`;
  const data = `${url}/api/clusters/${slug}/drafts/draft-000000000000/plan.json`;
  const stream = `${url}/api/clusters/${slug}/events`;
  const body = JSON.stringify([slug, null]);

  const read = async (at: string, init: RequestInit): Promise<string> => {
    const answer = await fetch(at, init);
    return answer.type === 'opaque' || answer.type === 'opaqueredirect'
      ? 'opaque'
      : `${answer.status} ${await answer.text()}`;
  };
  const element = (name: string, fields: Record<string, string>): Promise<string> =>
    new Promise((resolve) => {
      const made = document.createElement(name);
      made.addEventListener('load', () => resolve('loaded'));
      made.addEventListener('error', () => resolve('error'));
      for (const [field, value] of Object.entries(fields)) made.setAttribute(field, value);
      document.documentElement.append(made);
    });
  /** All that another origin can see of a frame or a window. */
  const seen = (other: Window | null): string => {
    if (other === null || other.closed) return 'nothing';
    try {
      return other.document.documentElement.outerHTML.includes(slug) ? `read ${other.document.title}` : 'nothing';
    } catch {
      return other.length > 0 ? `frames ${other.length}` : 'nothing';
    }
  };
  const framed = async (name: string, field: string, at: string): Promise<string> => {
    const made = document.createElement(name);
    made.setAttribute(field, at);
    document.documentElement.append(made);
    await new Promise((later) => setTimeout(later, 1200));
    return seen(
      'contentWindow' in made && made.contentWindow instanceof Object ? (made.contentWindow as Window) : null,
    );
  };
  const posted = async (encoding: string, aim: string, fields: Record<string, string>, at = page): Promise<string> => {
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', enctype: encoding, action: at, target: aim });
    for (const [name, value] of Object.entries(fields)) {
      const input = document.createElement('input');
      Object.assign(input, { type: 'hidden', name, value });
      form.append(input);
    }
    if (aim !== '_blank') {
      const frame = document.createElement('iframe');
      frame.name = aim;
      document.documentElement.append(frame);
    }
    document.documentElement.append(form);
    form.submit();
    await new Promise((later) => setTimeout(later, 1000));
    return 'nothing';
  };
  const opened = async (at: string): Promise<string> => {
    const other = window.open(at, '_blank');
    await new Promise((later) => setTimeout(later, 1500));
    const got = seen(other);
    other?.postMessage({ type: 'session' }, '*');
    return got;
  };
  const worker = (make: () => Worker | SharedWorker): Promise<string> =>
    new Promise((resolve) => {
      const made = make();
      made.addEventListener('error', () => resolve('error'));
      const port = made instanceof Worker ? made : made.port;
      port.onmessage = ({ data: message }) => resolve(`said ${message}`);
    });
  const toss = (cookie: string): void => {
    // biome-ignore lint/suspicious/noDocumentCookie: as a hostile page does it.
    document.cookie = cookie;
  };
  const include: RequestInit = { credentials: 'include' };
  const write: RequestInit = { ...include, method: 'POST', body };

  const techniques: Record<string, () => string | Promise<string>> = {
    'fetch a page': () => read(page, include),
    'fetch the first page': () => read(`${url}/`, include),
    'fetch data': () => read(data, include),
    'fetch without CORS': () => read(page, { ...include, mode: 'no-cors' }),
    'fetch as its own': () => read(page, { ...include, mode: 'same-origin' }),
    'fetch a redirect by hand': () => read(`${url}/clusters/x`, { ...include, redirect: 'manual' }),
    'fetch from the cache': () => read(page, { ...include, cache: 'force-cache' }),
    'fetch only from the cache': () => read(page, { ...include, cache: 'only-if-cached', mode: 'same-origin' }),
    'fetch for the router': () => read(page, { ...include, headers: { RSC: '1' } }),
    'fetch by HEAD': () => read(page, { ...include, method: 'HEAD' }),
    'fetch without Referer': () => read(page, { ...include, referrerPolicy: 'no-referrer' }),
    'call an action': () =>
      read(page, { ...write, headers: { 'Next-Action': action, 'Content-Type': 'text/plain;charset=UTF-8' } }),
    'call it without CORS': () =>
      read(page, { ...write, mode: 'no-cors', headers: { 'Content-Type': 'text/plain;charset=UTF-8' } }),
    'call it and go': () => read(page, { ...write, mode: 'no-cors', keepalive: true }),
    put: () => read(page, { ...write, method: 'PUT' }),
    'sign out': () => read(`${url}/sign-out`, { ...include, method: 'POST', mode: 'no-cors' }),
    'sign in with a key of its own': () =>
      read(`${url}/sign-in`, {
        ...include,
        method: 'POST',
        mode: 'no-cors',
        body: JSON.stringify({ key: 'A'.repeat(43) }),
      }),
    beacon: () => (navigator.sendBeacon(page, new Blob([body], { type: 'text/plain' })) ? 'nothing' : 'refused'),
    'old request': () =>
      new Promise((resolve) => {
        const asked = new XMLHttpRequest();
        asked.open('GET', page);
        asked.withCredentials = true;
        asked.onload = () => resolve(`${asked.status} ${asked.responseText}`);
        asked.onerror = () => resolve('error');
        asked.send();
      }),
    'event stream': () =>
      new Promise((resolve) => {
        const source = new EventSource(stream, { withCredentials: true });
        source.onopen = () => resolve('open');
        source.onerror = () => resolve('error');
        source.addEventListener('snapshot', ({ data: snapshot }) => resolve(snapshot));
      }),
    'web socket': () =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${url.replace('http', 'ws')}/api/clusters/${slug}/events`);
        socket.onopen = () => resolve('open');
        socket.onerror = () => resolve('error');
      }),
    'data as a script': () => element('script', { src: data }),
    'a page as a script': () => element('script', { src: page }),
    'a page as a module': () => element('script', { src: page, type: 'module', crossorigin: 'use-credentials' }),
    'a page as a style': () => element('link', { rel: 'stylesheet', href: page }),
    'an icon as a picture': () => element('img', { src: `${url}/icon.svg` }),
    'a page as a picture': () => element('img', { src: page }),
    'a page ahead of time': () => element('link', { rel: 'prefetch', href: page }),
    'a module ahead of time': () => element('link', { rel: 'modulepreload', href: page }),
    'data ahead of time': () =>
      element('link', { rel: 'preload', as: 'fetch', href: data, crossorigin: 'use-credentials' }),
    'a page as subtitles': () => element('video', { src: page }),
    import: async () => Object.keys(await import(/* @vite-ignore */ page)).join(' '),
    frame: () => framed('iframe', 'src', page),
    'frame of the sign-in': () => framed('iframe', 'src', `${url}/sign-in`),
    'frame of data': () => framed('iframe', 'src', data),
    object: () => framed('object', 'data', page),
    embed: () => framed('embed', 'src', page),
    'form of text in a frame': () => posted('text/plain', 'f1', { [body]: '' }),
    'form for an action in a frame': () => posted('multipart/form-data', 'f2', { [`$ACTION_ID_${action}`]: '' }),
    'form for an action in a window': () => posted('multipart/form-data', '_blank', { [`$ACTION_ID_${action}`]: '' }),
    'form that signs out': () => posted('application/x-www-form-urlencoded', 'f3', {}, `${url}/sign-out`),
    window: () => opened(page),
    'window of data': () => opened(data),
    opener: () => seen(window.opener),
    worker: () => worker(() => new Worker(`${url}/_next/static/x.js`)),
    'shared worker': () => worker(() => new SharedWorker(page)),
    'service worker': async () => (await navigator.serviceWorker.register(`${url}/sw.js`, { scope: `${url}/` })).scope,
    'service workers': async () =>
      (await navigator.serviceWorker.getRegistrations()).length === 0 ? 'nothing' : 'some',
    'a name that says something': () => {
      const heard = new Promise<string>((resolve) => {
        for (const name of ['signalbox', 'session', slug])
          new BroadcastChannel(name).onmessage = ({ data: message }) => resolve(`said ${message}`);
        addEventListener('message', ({ data: message, origin }) => origin === url && resolve(`said ${message}`));
      });
      return heard;
    },
    'what is stored': async () => {
      const kept = [...Object.keys(localStorage), ...Object.keys(sessionStorage), ...(await caches.keys())];
      const bases = (await indexedDB.databases()).map(({ name }) => name ?? '');
      return [...kept, ...bases].length === 0 ? 'nothing' : `kept ${[...kept, ...bases].join(' ')}`;
    },
    cookies: () =>
      document.cookie.includes(cookieName) && !document.cookie.includes('forged') ? document.cookie : 'nothing',
    'cookies that are tossed': () => {
      const [name = ''] = host.split(':');
      for (const where of [
        '',
        '; domain=localhost',
        `; domain=${name}`,
        '; path=/clusters',
        `; path=/clusters; domain=${name}`,
      ])
        toss(`${cookieName}=forged${where}`);
      return 'nothing';
    },
    'how long it took': async () => {
      await fetch(page, { ...include, mode: 'no-cors' }).catch(() => undefined);
      const entries = performance.getEntriesByType('resource').filter(({ name }) => name.startsWith(url));
      const timed = entries.filter(
        (one) => one instanceof PerformanceResourceTiming && one.encodedBodySize + one.responseStart > 0,
      );
      return timed.length === 0 ? 'nothing' : `timed ${timed.map(({ name }) => name).join(' ')}`;
    },
  };
  const got = await Promise.all(
    Object.entries(techniques)
      .filter(([name]) => only?.includes(name) ?? true)
      .map(async ([name, run]) => {
        const limit = new Promise<string>((resolve) => setTimeout(resolve, 4000, 'no answer'));
        const result = await Promise.race([(async () => run())(), limit]).catch(
          (error: unknown) => `refused: ${error}`,
        );
        return [name, result] as const;
      }),
  );
  return Object.fromEntries(got);
}

/** Fills the browser's limit of cookies for a host name, which removes the other cookies of that name. */
export function overflow(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: as a hostile page does it.
  for (let at = 0; at < 400; at++) document.cookie = `flood${at}=${'x'.repeat(200)}; path=/`;
}
