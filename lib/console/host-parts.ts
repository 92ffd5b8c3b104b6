import type { Identity } from '#lib/run/index.ts';
import type { Answer, Host } from './host.ts';

/** What `makeHost` (lib/console/host/) is given. `signal`: hand over what is carried, and end. */
export type HostOptions = {
  env: NodeJS.ProcessEnv;
  kubeconfig: string | undefined;
  stateFolder: string;
  identity: Identity;
  log: (line: string, cause?: unknown) => void;
  signal: AbortSignal;
};

/** The host without what belongs to the process: sessions and the log. */
export type HostParts = {
  host: Omit<Host, 'session' | 'signIn' | 'signOut' | 'logPath'>;
  /** Carries on what an earlier process of this installation left; called once the console listens. */
  recover(): Promise<void>;
  /** Resolves once the act in flight is done and the Leases are released. */
  close(): Promise<void>;
  /** Carries a plan that the command line hands over; both are parsed here. */
  carryPlan?(plan: unknown, cluster: unknown): Promise<Answer<{ run: string }>>;
};
