/** Names in a row that is as high as any other, whatever stands in it: one line, on a telephone two. The cell has the whole as its title. */
export const oneLine =
  'block font-mono text-xs sm:truncate max-sm:line-clamp-2 max-sm:min-h-8 max-sm:[overflow-wrap:anywhere]';
