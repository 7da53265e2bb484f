/** RFC 9727 §4.1: the media type, and the profile of the linkset. */
export const CATALOG_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** `/.well-known/api-catalog`: where the API is, and where it is described. */
export const apiCatalog = (baseUrl: string, sells: boolean) => ({
  linkset: [
    {
      anchor: `${baseUrl}/v1`,
      'service-desc': [{ href: `${baseUrl}/openapi.json`, type: 'application/json' }],
      'service-doc': [
        { href: `${baseUrl}/llms.txt`, type: 'text/plain' },
        { href: `${baseUrl}/`, type: 'text/html' },
      ],
      ...(sells && {
        'service-meta': [{ href: `${baseUrl}/.well-known/x402`, type: 'application/json' }],
      }),
      status: [{ href: `${baseUrl}/healthz`, type: 'application/json' }],
    },
  ],
});
