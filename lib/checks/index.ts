export type { Check, Finding, Findings, Group, Remedy, Result, Severity, Verdict } from './check.ts';
