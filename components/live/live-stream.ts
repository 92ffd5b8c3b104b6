import type { Connection, StreamEnd } from '#lib/console/wire.ts';
import { alarmOf, isOpen, type LinkEvent, type LinkState, nextLink } from './link-state.ts';
import { sseParser } from './sse-parser.ts';
import { type Arrived, wireEvent } from './wire-event.ts';

/** What a stream needs of the browser; tests pass their own. */
export type LiveStreamPorts = {
  fetch(url: string, init: RequestInit): Promise<Response>;
  now(): number;
  random(): number;
  setTimeout(work: () => void, ms: number): number;
  clearTimeout(timer: number): void;
  /** Calls `work` once, before the next frame. */
  frame(work: () => void): void;
  isOffline(): boolean;
  /** Calls `tell` whenever the page is hidden or shown, or the browser is online again. Returns a function that stops this. */
  listen(tell: (event: 'hidden' | 'shown' | 'online') => void): () => void;
};

type Shown<View> = { view: View; connection: Connection };

export type LiveStream<View> = {
  /** The state to show; the same object until something changes. */
  current(): Shown<View>;
  /** Subscribes; the stream is open while there are subscribers. */
  subscribe(changed: () => void): () => void;
  /** Takes a view from elsewhere (a reloaded page) if it is newer. */
  offer(view: View): void;
  /** Pauses the shown state; events are counted meanwhile, and `resume` shows them at once. */
  pause(): void;
  resume(): void;
};

type Wire = { event: string; data: unknown };

/** A page that is hidden for longer closes its connection, because browsers allow six per host over all tabs. */
const hiddenGraceMs = 10_000;

/**
 * A stream of events and its folded view. A reconnect resumes after the last received event, rendered or not, so that none is lost or repeated; if ids are not
 * consecutive, events were lost and it reconnects. Events are folded at once and rendered with the next frame.
 */
export function liveStream<View extends { revision: number }, Event extends Wire>(
  url: string,
  initial: View,
  fold: (view: View, event: Event, id: number | null) => View,
  around: LiveStreamPorts,
): LiveStream<View> {
  let latest = initial;
  let link: LinkState = { kind: 'idle', why: 'nobody' };
  let held: { view: View; unseen: number } | null = null;
  let shown: Shown<View> = { view: initial, connection: { kind: 'connecting' } };
  let abort: AbortController | null = null;
  let alarm: { at: number; timer: number } | null = null;
  let hiding: number | null = null;
  let drawing = false;
  let silence = () => {};
  const listeners = new Set<() => void>();

  const draw = () => {
    if (drawing) return;
    drawing = true;
    around.frame(() => {
      drawing = false;
      const connection: Connection =
        held && link.kind !== 'stopped' ? { kind: 'paused', unseen: held.unseen } : connectionOf(link);
      shown = { view: held ? held.view : latest, connection };
      for (const listener of [...listeners]) listener();
    });
  };

  const step = (event: LinkEvent) => {
    const before = link;
    link = nextLink(link, event, around.now(), around.random);
    if (link === before) return;
    if (!isOpen(link)) hangUp();
    // A connecting state after an open one is a new attempt, so the old connection is closed.
    else if (link.kind === 'connecting') connect();
    setAlarm();
    draw();
  };

  const setAlarm = () => {
    const at = alarmOf(link);
    if (alarm && at !== null && at >= alarm.at) return;
    if (alarm) around.clearTimeout(alarm.timer);
    alarm = null;
    if (at === null) return;
    const timer = around.setTimeout(
      () => {
        alarm = null;
        // Each byte moves the alarm, so the timer is set again only when it fires.
        const due = alarmOf(link);
        if (due !== null && due <= around.now()) step({ kind: 'alarm' });
        else setAlarm();
      },
      Math.max(0, at - around.now()),
    );
    alarm = { at, timer };
  };

  const hangUp = () => {
    abort?.abort();
    abort = null;
  };

  const connect = () => {
    hangUp();
    const own = new AbortController();
    abort = own;
    const tell = (event: LinkEvent) => {
      if (abort === own) step(event);
    };
    read<Event | StreamEnd>(url, latest.revision, around, own.signal, (events) => {
      if (abort !== own) return;
      step({ kind: 'heard' });
      take(events);
    }).then(
      (refusal) =>
        tell(refusal ? { kind: 'refused', problem: refusal } : { kind: 'failed', offline: around.isOffline() }),
      () => tell({ kind: 'failed', offline: around.isOffline() }),
    );
  };

  /** Folds events at once, because a new connection resumes from the view's revision only. */
  const take = (events: Arrived<Event | StreamEnd>[]) => {
    if (events.length === 0) return;
    draw();
    for (const { event, id } of events) {
      if (isEnd(event)) return step({ kind: 'refused', problem: event.data });
      if (id !== null && event.event !== 'snapshot') {
        if (id <= latest.revision) continue;
        // An event was lost: reconnect.
        if (id !== latest.revision + 1) return step({ kind: 'failed', offline: false });
      }
      latest = fold(latest, event, id);
      if (held && id !== null) held.unseen++;
    }
  };

  const onPage = (event: 'hidden' | 'shown' | 'online') => {
    if (event !== 'online' && hiding !== null) {
      around.clearTimeout(hiding);
      hiding = null;
    }
    if (event === 'hidden') hiding = around.setTimeout(() => step({ kind: 'hidden' }), hiddenGraceMs);
    else step({ kind: event });
  };

  return {
    current: () => shown,
    subscribe: (changed) => {
      listeners.add(changed);
      if (listeners.size === 1) {
        silence = around.listen(onPage);
        step({ kind: 'wanted' });
      }
      return () => {
        listeners.delete(changed);
        if (listeners.size > 0) return;
        silence();
        if (hiding !== null) around.clearTimeout(hiding);
        hiding = null;
        step({ kind: 'unwanted' });
      };
    },
    offer: (view) => {
      if (view.revision <= latest.revision) return;
      latest = view;
      draw();
    },
    pause: () => {
      held ??= { view: latest, unseen: 0 };
      draw();
    },
    resume: () => {
      held = null;
      draw();
    },
  };
}

function connectionOf(link: LinkState): Connection {
  switch (link.kind) {
    case 'idle':
      return { kind: 'connecting' };
    case 'connecting':
      // Later attempts are shown as *reconnecting*, because the wait before them was shown.
      return link.attempt === 0
        ? { kind: 'connecting' }
        : { kind: 'reconnecting', attempt: link.attempt, at: link.since, offline: false };
    case 'live':
    case 'lagging':
      return { kind: link.kind, since: link.heardAt };
    case 'waiting':
      return { kind: 'reconnecting', attempt: link.attempt, at: link.at, offline: link.offline };
    case 'stopped':
      return { kind: 'stopped', problem: link.problem };
  }
}

/** Reads until the stream ends. Returns a failure that a retry would not fix, or null; rejects if the connection is lost. */
async function read<Event extends Wire>(
  url: string,
  revision: number,
  around: LiveStreamPorts,
  signal: AbortSignal,
  came: (events: Arrived<Event>[]) => void,
): Promise<{ code: string; message: string } | null> {
  const response = await around.fetch(url, {
    headers: { Accept: 'text/event-stream', 'Last-Event-ID': String(revision) },
    cache: 'no-store',
    signal,
  });
  if ([401, 403, 404].includes(response.status)) return refusalOf(response);
  if (!response.ok || !response.body || !isEventStream(response)) {
    await response.body?.cancel();
    return null;
  }
  const parse = sseParser();
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return null;
    const events = parse(decoder.decode(value, { stream: true }));
    came(events.flatMap((event) => wireEvent<Event>(event) ?? []));
  }
}

function isEventStream(response: Response): boolean {
  return (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
}

async function refusalOf(response: Response): Promise<{ code: string; message: string }> {
  const body: unknown = await response.json().catch(() => null);
  const field = (name: 'code' | 'message') => {
    const value = body !== null && typeof body === 'object' && name in body ? Reflect.get(body, name) : null;
    return typeof value === 'string' ? value : null;
  };
  return {
    code: response.status === 401 ? 'session.missing' : (field('code') ?? `http.${response.status}`),
    message: field('message') ?? 'The console refused to send this page’s events.',
  };
}

function isEnd(event: Wire): event is StreamEnd {
  return event.event === 'end';
}
