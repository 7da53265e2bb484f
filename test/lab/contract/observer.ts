import { type Contract, contractOf, responseOf } from '../../support/api/contract.ts';

/** What no route gives by itself: these are answers to how a request is written. */
const GENERIC = [405, 408, 413, 415, 431];

/** What a path answers to a method that it does not have. */
const UNOFFERED = [...GENERIC, 400, 404];

type Paths = Contract['paths'];

/** Keeps every answer of a service against the document that it serves. */
export function observeAnswers(document: Contract) {
  const contract = contractOf(document);
  const paths: Paths = document.paths;
  const seen = new Map<string, number>();
  const violations = new Set<string>();

  function check(path: string, method: string, response: Response, text: string): void {
    const { status, headers } = response;
    const at = `${method} ${path} ${status}`;
    seen.set(at, (seen.get(at) ?? 0) + 1);
    const type = headers.get('content-type') ?? undefined;
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const documented = responseOf(document, path, method, status) !== undefined;
    const generic = paths[path]?.[method] ? GENERIC : UNOFFERED;
    const faults =
      !documented && generic.includes(status)
        ? contract.faultsOf('/components/schemas/Problem', body)
        : contract.faultsOfAnswer(path, method, { status, type, body });
    for (const fault of faults) violations.add(`${at}: ${fault}`);
    if (!headers.get('x-request-id')) violations.add(`${at}: no X-Request-Id`);
    if ([429, 502, 503].includes(status) && !headers.get('retry-after'))
      violations.add(`${at}: no Retry-After`);
  }

  return {
    paths,
    violations,
    /** Answers checked so far. */
    count: () => [...seen.values()].reduce((sum, one) => sum + one, 0),
    /** Documented answers that nobody saw; what operations share is one. */
    unseen(): readonly string[] {
      const missing: string[] = [];
      for (const [path, methods] of Object.entries(paths))
        for (const [method, { responses }] of Object.entries(methods))
          for (const [status, response] of Object.entries(responses)) {
            const shared = '$ref' in response && [...seen.keys()].some((at) => at.endsWith(status));
            if (status !== 'default' && !shared && !seen.has(`${method} ${path} ${status}`))
              missing.push(`${method} ${path} ${status}`);
          }
      return missing;
    },
    /** Asks, checks the answer, and gives it with its body. */
    async ask(url: string, path: string, init: RequestInit = {}) {
      const response = await fetch(url, init);
      const text = await response.text();
      check(path, (init.method ?? 'GET').toLowerCase(), response, text);
      return { response, text };
    },
    check,
  };
}

export type Observer = ReturnType<typeof observeAnswers>;
