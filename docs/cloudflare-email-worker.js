// Hands each mail to the service as it came, and rejects it only in the service's own words.
// Settings of the Worker: BASE_URL, and the secret INBOUND_TOKEN.

// A header takes printable ASCII alone.
const enc = (s) => s.replace(/[^\x21-\x7e]+|%/gu, encodeURIComponent);

export default {
  async email(message, env) {
    const res = await fetch(`${env.BASE_URL}/inbound/cloudflare`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'message/rfc822',
        authorization: `Bearer ${env.INBOUND_TOKEN}`,
        'x-envelope-from': enc(message.from) || '<>',
        'x-envelope-to': enc(message.to),
      },
      // Not `message.headers`: it has lost the order of the headers, and which are repeated.
      body: await new Response(message.raw).arrayBuffer(),
    });
    if (res.ok) return;
    const { smtp_reply: reply } = await res.json().catch(() => ({}));
    if (reply?.startsWith('5')) return message.setReject(reply.slice(0, 500));
    // Not the sender's fault: thrown, so that the sender tries again.
    throw new Error(`inbound answered ${res.status}`);
  },
};
