/** A file to download. Ids in its name are reduced to characters that every file system allows. */
export function download(name: string, type: string, body: string): Response {
  return new Response(body, {
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${name.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 120)}"`,
      'Cache-Control': 'no-store',
    },
  });
}
