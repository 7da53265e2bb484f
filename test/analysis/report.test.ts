/**
 * Tests how the report is assembled from the facts, and how the report on a hostile email is cut.
 */

import { describe, expect, test } from 'vitest';
import { findCheck } from '../../src/analysis/checks.ts';
import type { Facts } from '../../src/analysis/facts.ts';
import { known, unknown } from '../../src/analysis/lookup-result.ts';
import { makeReport } from '../../src/analysis/report.ts';
import { isReportWritten } from '../../src/domain/events.ts';
import { isReport, type Report } from '../../src/domain/report/report.ts';
import { bulkMail, facts, overlay, type Part, signed } from '../support/mail/facts.ts';
import { linkDomain } from './links/facts.ts';
import { multipart, part, read } from './mail/mails.ts';
import { provider } from './provider/facts.ts';

const AT = '2026-11-20T12:00:02.000Z';
const MAX_EVENT_BYTES = 256 * 1024;

const reportOf = (...parts: Part<Facts>[]) => makeReport(facts(...parts), AT);
const written = (report: Report) => ({
  v: 1,
  id: '01JXXXXXXXXXXXXXXXXXXXXXXX',
  type: 'ReportWritten',
  at: AT,
  by: 'replica-1',
  data: { report },
});

const lost = unknown('worker: no answer');
/**
 * The facts if nothing could be found out: both parts of the worker's result and every lookup are missing.
 */
const nothing: Part<Facts> = {
  names: { ip: null, helo: null, fromDomain: null, fromOrganizationalDomain: null },
  connection: {
    ip: null,
    helo: null,
    source: 'unknown',
    ptr: lost,
    forward: lost,
    heloAddresses: lost,
    spamcop: lost,
  },
  spf: lost,
  dkim: lost,
  dmarc: lost,
  arc: lost,
  bimi: lost,
  transport: { mtaSts: lost, tlsRpt: lost, report: { domain: null } },
  headers: lost,
  content: lost,
  links: lost,
};

describe('a report', () => {
  test('on a perfect email has no fixes, no suggestions and 100 points', () => {
    expect(reportOf()).toMatchObject({ score: 100, grade: 'A', top_fixes: [], suggestions: [] });
  });

  test.each([
    ['a perfect email', []],
    ['bulk mail', [bulkMail]],
    ['mail through a provider', [{ provider }]],
    ['mail of which nothing is known', [nothing]],
    ['unsigned mail', [{ dkim: { value: { signatures: [], total: 0 } } }]],
    ['mail without From', [{ names: { fromDomain: null, fromOrganizationalDomain: null } }]],
  ] as [string, Part<Facts>[]][])('on %s matches its schema', (_, parts) => {
    const report = reportOf(...parts);
    expect(isReport(report)).toBe(true);
    expect(isReportWritten(written(report))).toBe(true);
  });

  test('is the same for the same facts', () => {
    expect(reportOf(bulkMail)).toEqual(reportOf(bulkMail));
  });

  test('lists the findings in catalogue order, each once', () => {
    const ids = reportOf(bulkMail).findings.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.indexOf('spf_record')).toBeLessThan(ids.indexOf('link_reputation'));
  });

  test('leaves out checks behind a closed gate', () => {
    const { findings } = reportOf({ spf: { value: { report: { record: null, records: [] } } } });
    const ids = findings.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['spf_record', 'spf_helo']));
    expect(ids.filter((id) => findCheck(id)?.gate === 'spf_record')).toEqual([]);
  });

  test('never charges for anything unknown, and names each failure once', () => {
    const report = reportOf(nothing);
    expect(report).toMatchObject({ score: 100, top_fixes: [], suggestions: [] });
    expect(report.partial_errors).toContainEqual(
      expect.stringMatching(/^worker: no answer \(spf_record, .* and \d+ more\)$/),
    );
    expect(new Set(report.partial_errors).size).toBe(report.partial_errors?.length);
    expect(report.authentication).toMatchObject({
      spf: { result: 'temperror', error: 'worker: no answer' },
      dkim: [],
      dmarc: { result: 'temperror', policy: null },
      arc: { result: 'temperror' },
      bimi: { result: 'temperror' },
    });
  });

  test('keeps errors that no check asked about', () => {
    const report = reportOf({ partialErrors: ['dns: MX rua.example: TIMEOUT'] });
    expect(report.partial_errors).toEqual(['dns: MX rua.example: TIMEOUT']);
    expect(reportOf().partial_errors).toBeUndefined();
  });
});

describe('the objects of a report', () => {
  test('connection leaves out unknown members and contains no null', () => {
    const { connection } = reportOf(nothing);
    for (const key of ['ip', 'helo', 'ptr', 'fcrdns', 'spamcop'])
      expect(connection).not.toHaveProperty(key);
    expect(reportOf().connection).toMatchObject({
      ip: '192.0.2.25',
      ip_version: 4,
      helo: 'mail.example.com',
      source: 'smtp',
      ptr: ['mail.example.com'],
      fcrdns: true,
      ptr_generic: false,
      helo_resolves: true,
      helo_matches_ptr: true,
      spamcop: 'not_listed',
    });
  });

  test('a SpamCop that does not answer counts as unknown', () => {
    expect(reportOf({ connection: { spamcop: lost } }).connection.spamcop).toBe('unknown');
  });

  test('message says whether a passing signature covers the one-click headers', () => {
    const present = { report: { list_unsubscribe: { present: true } } };
    const mail: Part<Facts> = overlay(bulkMail, { headers: { value: present } });
    expect(reportOf(mail).message.list_unsubscribe.dkim_covered).toBe(true);
    const broken = signed({ report: { result: 'fail', reason: 'bad_signature' } });
    const report = reportOf(mail, { dkim: { value: { signatures: [broken] } } });
    expect(report.message.list_unsubscribe.dkim_covered).toBe(false);
  });

  test('message of an email that could not be read contains the envelope and the size', () => {
    expect(reportOf(nothing, { sizeBytes: 4242 }).message).toMatchObject({
      size_bytes: 4242,
      header_from: { domain: null },
      envelope_from_domain: 'example.com',
    });
  });

  const hosts = ['www.example.com', 'bad.example', 'silent.example', 'late.example'];
  const linked: Part<Facts> = {
    links: { value: { report: { domains: hosts.map((host) => ({ ...linkDomain, host })) } } },
    webRisk: {
      hosts: {
        'bad.example': { threats: ['MALWARE'], expiresAt: '2026-11-20T13:00:00.000Z' },
        'silent.example': null,
      },
    },
  };

  test('links contain what the web-risk service said about each host', () => {
    const { links } = reportOf(linked);
    expect(links).toMatchObject({ status: 'partly_checked', provider: 'google_web_risk' });
    expect(links.domains.map(({ reputation }) => reputation)).toEqual([
      'clean',
      'listed',
      'error',
      'not_checked',
    ]);
    expect(links.domains[1]).toMatchObject({
      threats: ['MALWARE'],
      expires_at: '2026-11-20T13:00:00.000Z',
    });
    expect(reportOf().links.status).toBe('checked');
  });

  test('links are not checked without a service', () => {
    const { links } = reportOf(linked, { webRisk: { configured: false } });
    expect(links).toMatchObject({ status: 'not_checked', provider: null, checked_at: null });
    expect(new Set(links.domains.map(({ reputation }) => reputation))).toEqual(
      new Set(['not_checked']),
    );
  });

  test('no service is asked about an IP address, so its silence leaves nothing open', () => {
    const domains = [linkDomain, { ...linkDomain, host: '192.0.2.9', ip_literal: true }];
    const { links } = reportOf({ links: { value: { report: { domains } } } });
    expect(links.status).toBe('checked');
    expect(links.domains.map(({ reputation }) => reputation)).toEqual(['clean', 'not_checked']);
  });

  test('links that could not be read are not checked', () => {
    expect(reportOf({ links: lost }).links).toMatchObject({ status: 'not_checked', domains: [] });
  });

  test('a host may be called constructor', () => {
    const domains = [{ ...linkDomain, host: 'constructor' }];
    const { links, findings } = reportOf({ links: { value: { report: { domains } } } });
    expect(links.domains[0]?.reputation).toBe('not_checked');
    expect(findings.find(({ id }) => id === 'link_reputation')?.severity).toBe('info');
  });
});

describe('a report on a hostile email', () => {
  const long = 'x'.repeat(10_000);
  const many = <T>(count: number, make: (i: number) => T) =>
    Array.from({ length: count }, (_, i) => make(i));
  const key = { record: long };
  const huge: Part<Facts> = {
    spf: {
      value: {
        report: {
          record: `v=spf1 ${long}`,
          records: many(150, (i) => `v=spf1 a:${i}.${long}`),
          tree: many(500, (i) => ({ term: `include:${i}.${long}`, lookups: 1, depth: 1 })),
        },
        voidTerms: many(200, () => ({ term: long, top: long, isOfSender: false, instead: [long] })),
        syntaxFaults: many(200, () => ({ severity: 'fail' as const, bad: long })),
      },
    },
    dkim: {
      value: {
        signatures: many(30, (i) =>
          signed({
            report: {
              selector: `s${i}`,
              key,
              signed_headers: many(5000, (n) => `x-header-${n}`),
            },
            unsignedHeaders: many(5000, (n) => `x-header-${n}`),
          }),
        ),
        total: 2000,
      },
    },
    headers: { value: { duplicates: many(1000, () => long), leaks: many(1000, () => long) } },
    content: {
      value: {
        mime: {
          parts: many(500, () => ({
            type: long,
            charset: long,
            encoding: long,
            size_bytes: 1,
            disposition: null,
          })),
        },
      },
    },
    links: {
      value: {
        report: {
          domains: many(1000, (i) => ({ ...linkDomain, host: `${i}.${long}` })),
          text_mismatches: many(1000, () => ({ shown_domain: long, target_domain: long })),
        },
        shorteners: many(1000, () => long),
      },
    },
    connection: {
      forward: {
        value: { addresses: Object.fromEntries(many(150, (i) => [`h${i}.example`, [long]])) },
      },
    },
    partialErrors: many(300, (i) => `${i} ${long}`),
    remarks: many(300, (i) => `${i} ${long}`),
  };

  test('matches its schema and its event, and says what was cut', () => {
    const report = reportOf(huge);
    expect(isReport(report)).toBe(true);
    expect(JSON.stringify(written(report)).length).toBeLessThanOrEqual(MAX_EVENT_BYTES);
    const notes = report.notes.join('\n');
    expect(notes).toMatch(/shortened to fit the size limit: .*authentication\.spf\.records/);
    expect(notes).toMatch(/shortened to fit the size limit: .*connection\.ptr_forward/);
  });

  test('lists at most a hundred of each thing, counts all, and says so', () => {
    const links = many(150, (i) => `https://h${i}.example/`).join(' ');
    const files = many(150, () => part('application/pdf; name=a.pdf', '%PDF-'));
    const mail = multipart('mixed', [part('text/plain', links), ...files]);
    const { content, links: found } = read(mail);
    const report = makeReport({ ...facts(), content: known(content), links: known(found) }, AT);
    expect(report.links).toMatchObject({ distinct_domains: 150, domains: { length: 100 } });
    expect(report.message.attachments).toHaveLength(100);
    const { detail } = report.findings.find(({ id }) => id === 'attachment_types') ?? {};
    expect(detail).toContain('150 attachments');
    const notes =
      report.notes.find((note) => note.startsWith('shortened to fit the size limit: ')) ?? '';
    for (const list of ['links.domains', 'message.attachments', 'message.mime.parts'])
      expect(notes).toContain(list);
  });

  test('of an ordinary email is not cut', () => {
    expect(reportOf(bulkMail).notes.join('\n')).not.toContain('shortened to fit');
  });
});

test('never shows what the schema does not name', () => {
  const canary = 'canary-7f3a';
  const planted = <T>(value: T): T => overlay(value, { secret: canary, subject_text: canary });
  const base = facts(bulkMail, { provider: planted(provider) });
  const all = {
    ...planted(base),
    connection: planted(base.connection),
    transport: { ...base.transport, report: planted(base.transport.report) },
    ...Object.fromEntries(
      (['spf', 'dmarc', 'arc', 'bimi', 'headers', 'links'] as const).map((name) => [
        name,
        overlay(base[name], { value: { secret: canary, report: { secret: canary } } }),
      ]),
    ),
    content: overlay(base.content, {
      value: { secret: canary, content: { secret: canary }, mime: { secret: canary } },
    }),
    dkim: {
      status: 'known',
      value: {
        signatures: [overlay(signed(), { secret: canary, report: { secret: canary } })],
        total: 1,
      },
    },
  } as Facts;

  expect(JSON.stringify(all).split(canary).length).toBeGreaterThan(15);
  expect(JSON.stringify(makeReport(all, AT))).not.toContain(canary);
});
