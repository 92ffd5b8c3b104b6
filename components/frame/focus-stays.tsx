'use client';

import { useEffect } from 'react';
import { keepFocus } from './keep-focus.ts';

export function FocusStays() {
  useEffect(keepFocus, []);
  return null;
}
