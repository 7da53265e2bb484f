/** RFC 8288: where a client that knows one URL of the service finds what describes all of it. */
export const discoveryLinks = (baseUrl: string) =>
  [
    `<${baseUrl}/openapi.json>; rel="service-desc"; type="application/json"`,
    `<${baseUrl}/llms.txt>; rel="service-doc"; type="text/plain"`,
    `<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`,
  ].join(', ');
