import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '#lib/base/process-identity.ts';
import type { PlaneState } from './plane-state.ts';

/**
 * Commands that a supervisor takes on its unix socket. Only a process that answers there is a supervisor:
 * the process id in an old state file may now belong to another program, so it is never signalled without that answer.
 */
export type SupervisorCommand =
  | '/are-you-there'
  | '/stop'
  | '/api-server/stop'
  | '/api-server/start'
  | '/operator/stop'
  | '/operator/start';

const stopWithinMs = 20_000;

/** Resolves when the supervisor has carried out the command; rejects with its sentence, or when nothing listens. */
export function commandSupervisor(state: PlaneState, path: SupervisorCommand): Promise<void> {
  return new Promise((done, failed) => {
    const sent = request({ socketPath: state.control, path, method: 'POST' }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += String(chunk);
      });
      response.on('end', () => (response.statusCode === 204 ? done() : failed(new Error(body))));
    });
    sent.on('error', failed);
    sent.end();
  });
}

export async function supervisorRuns(state: PlaneState | null): Promise<boolean> {
  if (!state) return false;
  return commandSupervisor(state, '/are-you-there').then(
    () => true,
    () => false,
  );
}

/** Ends a supervisor and with it all that it started: politely, then with SIGKILL (on Linux its children die with it). */
export async function stopSupervisor(state: PlaneState): Promise<void> {
  if (!(await supervisorRuns(state))) return;
  await commandSupervisor(state, '/stop');
  for (const deadline = Date.now() + stopWithinMs; isAlive(state); await sleep(50)) {
    if (Date.now() <= deadline) continue;
    process.kill(state.pid, 'SIGKILL');
    return;
  }
}
