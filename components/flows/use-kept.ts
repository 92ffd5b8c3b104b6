'use client';

import type { HistoryState, ListedFlows } from '#lib/flows/index.ts';
import { useAnswer } from './use-answer.ts';

type Kept = ListedFlows & HistoryState & { readonly since: number | null };

/** Flows of the history for a query; null: no request. They stay until they are read again. */
export function useKept(url: string, text: string | null) {
  const path = text === null ? null : `${url}/kept?q=${encodeURIComponent(text)}`;
  const { read, failed, again, ...answer } = useAnswer(path, null, isKept);
  return { kept: read, failed: path === null ? null : failed, isReading: path !== null && answer.path !== path, again };
}

function isKept(value: unknown): value is Kept {
  return typeof value === 'object' && value !== null && 'flows' in value && Array.isArray(value.flows);
}
