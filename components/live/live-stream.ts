import type { Connection, StreamEnd } from '#lib/console/wire.ts';
import { alarmOf, isOpen, type LinkEvent, type LinkState, nextLink } from './link-state.ts';
import { sseParser } from './sse-parser.ts';
import { type Arrived, wireEvent } from './wire-event.ts';

/** What a stream needs of a browser; tests bring their own. */
export type LiveStreamPorts = {
  fetch(url: string, init: RequestInit): Promise<Response>;
  now(): number;
  random(): number;
  setTimeout(work: () => void, ms: number): number;
  clearTimeout(timer: number): void;
  /** Calls once, before the next picture is drawn. */
  frame(work: () => void): void;
  isOffline(): boolean;
  /** Calls whenever the page is hidden, shown, or the browser has its network again. Returns how to stop it. */
  listen(tell: (event: 'hidden' | 'shown' | 'online') => void): () => void;
};

export type Shown<View> = { view: View; connection: Connection };

export type LiveStream<View> = {
  /** What to show; the same object until something changes. */
  current(): Shown<View>;
  /** Follows for as long as anybody has subscribed. */
  subscribe(changed: () => void): () => void;
  /** A view from elsewhere (a page that was loaded again): taken where it is newer. */
  offer(view: View): void;
  /** Holds what is shown still; what comes meanwhile is counted, and shown at once by `resume`. */
  pause(): void;
  resume(): void;
};

type Wire = { event: string; data: unknown };

/** A page that is hidden for longer gives its connection back: browsers have six for a host, over all tabs. */
const hiddenGraceMs = 10_000;

/**
 * One stream of events and the view that they add up to. It asks for what comes after the last event that has come, drawn or not, so that none is lost
 * or doubled over a reconnect; where ids are not consecutive something was lost, and it asks again. What is drawn waits for a picture; what is known
 * does not.
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
    // A connecting state that follows an open one is a new attempt; the old connection is of no use.
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
        // Each byte moves the alarm: it is set anew only when it rings.
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

  /** Into the view as it comes, before the line can be cut: where a new connection begins is the view's revision, and nothing else. */
  const take = (events: Arrived<Event | StreamEnd>[]) => {
    if (events.length === 0) return;
    draw();
    for (const { event, id } of events) {
      if (isEnd(event)) return step({ kind: 'refused', problem: event.data });
      if (id !== null && event.event !== 'snapshot') {
        if (id <= latest.revision) continue;
        // Something between us was lost: ask for it again.
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
      // A new attempt is told as one: the reader has just been told of the wait before it.
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

/** Reads until the stream ends. Answers what trying again would not fix, else null; rejects when the connection is lost. */
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
  const told: unknown = await response.json().catch(() => null);
  const field = (name: 'code' | 'message') => {
    const value = told !== null && typeof told === 'object' && name in told ? Reflect.get(told, name) : null;
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
