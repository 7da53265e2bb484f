import { prng } from '../../support/prng/prng.ts';
import type { Observer } from './observer.ts';

/** Calls under way at a time. */
const LANES = 8;

const IDS = ['samplereport', 'abcdefgh2345', 'ABC', '../../etc', '%00', 'a'.repeat(300), '1', 'é'];
const TOKENS = ['wrong', '', 'a b', 'x'.repeat(129), '\u00ff', `${'A'.repeat(43)}`];
const PREFER = ['wait=0', 'wait=-1', 'respond-async', 'wait=', ';;,', 'wait="x"'];
const TYPES = ['application/json', 'text/plain', 'application/json; charset=x', 'x/y'];
const BODIES = ['{}', '[]', '{', 'null', '"a"', '{"__proto__":1}', 'x'.repeat(20_000), ''];
const METHODS = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH'];
const QUERIES = ['', '?test_id=', '?test_id=a&test_id=b', '?a=b', '?test_id=samplereport&x=%ff'];

/** Seeded calls of every operation, right and wrong in each part. The answers are checked. */
export async function fuzzCalls(
  base: string,
  { paths, ask, violations }: Observer,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<number> {
  const random = prng(seed);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [path, method.toUpperCase()] as const),
  );
  let done = 0;

  async function call(): Promise<void> {
    const [path, usual] = random.pick(operations);
    const method = random.chance(0.85) ? usual : random.pick(METHODS);
    // What no operation has is answered by the router: as the documents' generic problems.
    const id = path.startsWith('/findings')
      ? random.pick(['spf_record', 'nothing', '%00', 'a/b'])
      : random.pick(IDS);
    const query = path === '/v1/report' || random.chance(0.1) ? random.pick(QUERIES) : '';
    const target = path.replace(/\{\w+\}/, encodeURIComponent(decodeURIComponent(id)));
    const search = query === '?a=b' ? `?test_id=${encodeURIComponent(id)}` : query;
    const hasBody = method !== 'GET' && random.chance(0.5);
    const headers: Record<string, string> = {
      accept: random.pick(['application/json', '*/*']),
      ...(random.chance(0.6) && { 'x-read-token': random.pick(TOKENS) }),
      ...(random.chance(0.2) && {
        'payment-signature': random.pick(['e30=', '!', 'x'.repeat(9000)]),
      }),
      ...(random.chance(0.2) && { prefer: random.pick(PREFER) }),
      ...(hasBody && { 'content-type': random.pick(TYPES) }),
    };
    const init = { method, headers, ...(hasBody && { body: random.pick(BODIES) }) };
    const { response } = await ask(base + target + search, path, init);
    if (response.status >= 500) violations.add(`${method} ${path}: ${response.status}`);
    done += 1;
  }

  let started = 0;
  const lane = async () => {
    while (started < count) {
      started += 1;
      await call();
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return done;
}
