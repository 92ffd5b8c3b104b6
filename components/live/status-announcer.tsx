'use client';

import { useEffect, useRef, useState } from 'react';
import { type Announcement, announcement } from './announcement.ts';

/** Announces the status sentence to screen readers at most every 5 s, and `failure` at once, which is only for blocking problems. Invisible. */
export function StatusAnnouncer({ sentence, failure }: { sentence: string; failure: string | null }) {
  const [text, setText] = useState('');
  const announced = useRef<Announcement>({ text: '', at: Number.NEGATIVE_INFINITY });
  const latest = useRef(sentence);
  const timer = useRef<number | null>(null);
  useEffect(() => {
    latest.current = sentence;
    // A running timer will announce the latest sentence.
    if (timer.current !== null) return;
    const look = () => {
      timer.current = null;
      const { say, againInMs } = announcement(announced.current, latest.current, Date.now());
      if (say) {
        announced.current = say;
        setText(say.text);
      }
      if (againInMs !== null) timer.current = window.setTimeout(look, againInMs);
    };
    look();
  }, [sentence]);
  useEffect(
    () => () => {
      if (timer.current !== null) window.clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  return (
    <>
      <p role="status" className="sr-only">
        {text}
      </p>
      <p role="alert" className="sr-only">
        {failure}
      </p>
    </>
  );
}
