'use client';

import type { HistoryState, ListedFlows } from '#lib/flows/index.ts';
import { useAnswer } from './use-answer.ts';

type HistoryAnswer = ListedFlows & HistoryState & { readonly since: number | null };

/** Flows of the history for a query; null: no request. They stay until they are read again. */
export function useFlowHistory(url: string, text: string | null) {
  const path = text === null ? null : `${url}/kept?q=${encodeURIComponent(text)}`;
  const { read, failed, again, ...answer } = useAnswer(path, null, isHistoryAnswer);
  return { kept: read, failed: path === null ? null : failed, isReading: path !== null && answer.path !== path, again };
}

function isHistoryAnswer(value: unknown): value is HistoryAnswer {
  return typeof value === 'object' && value !== null && 'flows' in value && Array.isArray(value.flows);
}
