import * as discovery from '@agentcash/discovery';
import { validateAndExtract, validateDiscoveryExtensionSpec } from '@x402/extensions/bazaar';

/** Returns what the unmodified probes of a registry and x402's own check of the extension object to. */
export async function probeRegistries(base: string): Promise<readonly string[]> {
  const found: string[] = [];
  const add = (where: string, warnings: readonly { code?: string; message?: string }[]) =>
    found.push(...warnings.map(({ code, message }) => `${where}: ${code} ${message}`));

  const url = `${base}/v1/report?test_id=samplereport`;
  const described = await discovery.getOpenAPI(base);
  const openapi = described.isOk() ? described.value : null;
  if (!openapi || discovery.isOpenApiParseFailure(openapi)) return ['the OpenAPI is not found'];
  add('openapi', discovery.getWarningsForOpenAPI(openapi));
  add('routes', discovery.getWarningsForL2(discovery.checkL2ForOpenAPI(openapi)));
  add('guidance', discovery.getWarningsForL4(discovery.checkL4ForOpenAPI(openapi)));

  const probed = await discovery.getProbe(url);
  if (probed.isErr()) return [...found, 'the probe got no answer'];
  const [path, method] = ['/v1/report', 'GET'] as const;
  add('described', discovery.getWarningsForL3(discovery.getL3ForOpenAPI(openapi, path, method)));
  const endpoint = discovery.getL3ForProbe(probed.value, path, method, openapi);
  add('endpoint', discovery.getWarningsForL3(endpoint));
  if (!endpoint?.paymentOptions?.length) found.push('endpoint: no option to pay');

  const answer = await fetch(url);
  const body = (await answer.json()) as { extensions: { bazaar: never } };
  if (answer.status !== 402) found.push(`endpoint: ${answer.status} instead of 402`);
  add('challenge', discovery.getWarningsFor402Body(body));
  for (const check of [validateDiscoveryExtensionSpec, validateAndExtract]) {
    const { valid, errors = [] } = check(body.extensions.bazaar);
    if (!valid) found.push(`bazaar: ${errors.join(', ')}`);
  }
  return found;
}
