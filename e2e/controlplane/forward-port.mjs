// KWOK runs this for a forwarded port: it connects its standard input and output to the port that the file names.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

const socket = connect(Number(readFileSync(process.argv[2] ?? '', 'utf8')), '127.0.0.1');
process.stdin.pipe(socket);
socket.pipe(process.stdout);
socket.on('error', () => process.exit(1));
socket.on('close', () => process.exit(0));
