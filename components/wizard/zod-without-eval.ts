import { config } from 'zod';

/**
 * Zod tries whether it may compile code as soon as it parses an object. Our policy forbids that, the browser reports each try, and a report that
 * means nothing would hide one that does. To be imported by whatever parses in the browser.
 */
config({ jitless: true });
