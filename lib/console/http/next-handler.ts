import { access } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, relative } from 'node:path';
import type { Handler } from '../server.ts';
import { resolveToLoopback } from './resolve-to-loopback.ts';

/** Mounts Next's handler on the build in the folder `build`; `root` is the project's. Loads Next, which takes about half a second. */
export async function nextHandler(root: string, build: string, name: string, port: number): Promise<Handler> {
  resolveToLoopback(name);
  // Next reads these variables while it loads, and finds its build only from the project's folder.
  process.chdir(root);
  Object.assign(process.env, {
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    SIGNALBOX_BUILD: relative(root, build),
  });
  const { default: next } = await import('next');
  const app = next({
    dev: false,
    dir: root,
    // The address for Next's requests to itself, which are checked like all others.
    hostname: name,
    port,
    // Next adds a listener for upgrades to this server, which therefore listens nowhere.
    httpServer: createServer(),
  });
  await app.prepare();
  return app.getRequestHandler();
}

/** Whether the folder has a finished build. */
export async function isBuild(folder: string): Promise<boolean> {
  return access(join(folder, 'BUILD_ID')).then(
    () => true,
    () => false,
  );
}
