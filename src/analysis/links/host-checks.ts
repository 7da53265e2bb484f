/**
 * The checks of hosts in links: IP addresses, ports and user names, unencrypted HTTP, and look-alike names.
 */

import { type Step, wordsStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import { whichHold } from '../definition.ts';
import type { Facts } from '../facts.ts';
import { formatFound, formatList } from '../format.ts';
import { entryOf, mapLookup, thenLookup } from '../lookup-result.ts';
import { isReachable } from '../names/reachable.ts';
import type { LinkFacts } from './facts.ts';
import { withLinks } from './target-checks.ts';

export const linkIpHost = check({
  id: 'link_ip_host',
  family: 'links',
  title: 'Hosts and ports of links',
  source: 'SpamAssassin NORMAL_HTTP_TO_IP; rspamd url_suspect',
  about: {
    what: 'A link can point to a bare IP address, or contain a port or a user name.',
    why: 'Legitimate companies link to host names. Other forms are typical of phishing and of hacked servers.',
    how: ['Link to a host name under your domain.'],
    bad: 'http://192.0.2.80:8080/login',
    good: 'https://www.example.com/login',
  },
  subject: withLinks,
  states: ({ fail, warn, pass }) => ({
    disguised: fail(10).when(
      'IP literal, decimal/hex IP, or userinfo@host',
      ({ ipHosts, userinfoHosts }) => ipHosts.length + userinfoHosts.length > 0,
    ),
    odd_port: warn(3).when('non-standard port', ({ oddPorts }) => oddPorts.length > 0),
    named: pass('none'),
  }),
  detail: ({ ipHosts, userinfoHosts, oddPorts }) =>
    formatFound([
      ...ipHosts.map((host) => `the address ${host}`),
      ...userinfoHosts.map((host) => `a user name before ${host}`),
      ...oddPorts.map((host) => `an unusual port of ${host}`),
    ]),
  evidence: ({ ipHosts, userinfoHosts, oddPorts }) => ({
    addresses: ipHosts,
    userinfo_hosts: userinfoHosts,
    odd_port_hosts: oddPorts,
  }),
  fix: {
    why: 'Filters distrust links that contain anything other than a plain host name.',
    do: 'Link to host names, without user names and ports.',
  },
  fixes: {
    ip: {
      why: 'Links to bare IP addresses are typical of phishing.',
      do: 'Link to a host name, such as https://www.{from_org_domain}/, instead of {ips}.',
    },
    userinfo: {
      why: 'Links with a user name before an @ are typical of phishing.',
      do: 'Remove the user name from links to {userinfo_hosts}.',
    },
    port: {
      why: 'Filters distrust links to unusual ports.',
      do: 'Serve {ports} on port 443 and remove the port from the link.',
    },
  },
  cases: ({ ipHosts, userinfoHosts, oddPorts }) =>
    whichHold({
      ip: ipHosts.length > 0,
      userinfo: userinfoHosts.length > 0,
      port: oddPorts.length > 0,
    }),
  values: ({ ipHosts, userinfoHosts, oddPorts }) => ({
    ips: formatList(ipHosts),
    userinfo_hosts: formatList(userinfoHosts),
    ports: formatList(oddPorts),
  }),
});

/** Number of hosts that a fix lists one by one. */
const MAX_HOSTS = 20;

const toHttps = (host: string): Step => ({
  owner: 'sender',
  kind: 'content',
  operation: 'replace',
  name: 'link',
  type: null,
  value: `https://${host}`,
  replaces: [`http://${host}`],
});

/**
 * Returns the http:// hosts that the sender can change to https://: its own hosts, and the hosts of images.
 */
const ownHttp = ({ httpHosts, report }: LinkFacts): readonly string[] =>
  httpHosts.filter((host) => {
    const entry = report.domains.find((one) => one.host === host);
    return entry !== undefined && (entry.aligned_with_from || entry.roles.includes('image'));
  });

export const linkHttps = check({
  id: 'link_https',
  family: 'links',
  title: 'Scheme of links (https)',
  source: 'practice',
  about: {
    what: 'Links and images over http:// are not encrypted.',
    why: 'Browsers warn about such pages, and mail programs may not load the images.',
    how: ['Change http:// to https:// in the template.'],
    bad: 'http://example.com/sale',
    good: 'https://example.com/sale',
  },
  subject: (facts) =>
    thenLookup(facts.content, ({ content }) => {
      const links = withLinks(facts);
      return (
        links &&
        mapLookup(links, (value) => ({
          ...value,
          ownHosts: content.has_html ? ownHttp(value) : [],
        }))
      );
    }),
  states: ({ warn, info, pass }) => ({
    unencrypted: warn(3).when(
      'HTML with http:// links to hosts of the sender, or http:// images',
      ({ ownHosts }) => ownHosts.length > 0,
    ),
    // Filters ignore http:// in such links, and a report or a quoted reply must show URLs unchanged.
    elsewhere: info.when(
      "http:// in plain text, or in links to other people's hosts",
      ({ httpHosts }) => httpHosts.length > 0,
    ),
    encrypted: pass('all https'),
  }),
  detail: ({ httpHosts }) =>
    httpHosts.length > 0 ? `http:// links to ${httpHosts.join(', ')}.` : 'All links use https.',
  evidence: ({ httpHosts }) => ({ http_hosts: httpHosts }),
  fix: 'Browsers and filters warn about unencrypted links, such as those to {hosts}.',
  values: ({ ownHosts }) => ({ hosts: formatList(ownHosts) }),
  steps: (links, facts) => {
    const leaving = links.ownHosts.filter(isToBeReplaced(links, facts));
    const staying = links.ownHosts.filter((host) => !leaving.includes(host));
    return [
      ...staying.slice(0, MAX_HOSTS).map(toHttps),
      ...(leaving.length > 0
        ? [
            wordsStep(
              'content',
              `In the links to ${formatList(leaving.slice(0, MAX_HOSTS))}, replace the host as the other findings say, and start the new URL with https://.`,
              'sender',
              'link',
            ),
          ]
        : []),
    ];
  },
});

/**
 * Returns a function that tells whether another finding asks to replace the host of a link. A step must not
 * print that host's name again.
 */
function isToBeReplaced(
  { ipHosts, shorteners, redirectors, homographs }: LinkFacts,
  { names, webRisk }: Facts,
): (host: string) => boolean {
  const others = new Set([...ipHosts, ...shorteners, ...redirectors, ...homographs.suspicious]);
  return (host) =>
    others.has(host) ||
    !isReachable(host, names.fromDomain) ||
    (entryOf(webRisk.hosts, host)?.threats.length ?? 0) > 0;
}

export const linkHomograph = check({
  id: 'link_homograph',
  family: 'links',
  title: 'Look-alike link domains',
  source: 'UTS #39',
  about: {
    what: 'A link can lead to a domain that mixes letters from several scripts that look alike.',
    why: 'Receivers read such a domain as an imitation of another one.',
    how: ['Link to a domain written in a single script.'],
    bad: 'https://аpple.example   (the first letter is Cyrillic)',
    good: 'https://www.example.com',
  },
  subject: withLinks,
  states: ({ warn, info, pass }) => ({
    confusable: warn(14).when(
      'mixed-script or confusable host',
      ({ homographs }) => homographs.suspicious.length > 0,
    ),
    one_script: info.when('IDN in one script', ({ homographs }) => homographs.idn.length > 0),
    none: pass('none'),
  }),
  detail: ({ homographs }) => formatFound([...homographs.suspicious, ...homographs.idn]),
  evidence: ({ homographs }) => ({
    look_alikes: homographs.suspicious,
    one_script: homographs.idn,
  }),
  fix: {
    why: 'Receivers will read a host name with look-alike letters as an imitation.',
    do: 'Use an ASCII host name instead of {hosts}.',
  },
  values: ({ homographs }) => ({ hosts: formatList(homographs.suspicious) }),
});
