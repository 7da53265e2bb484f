// Passes each email to the service unchanged, and rejects it only with the service's own reply.
// Settings of the Worker: the variable BASE_URL and the secret INBOUND_TOKEN.

// A header may contain only printable ASCII.
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
      // `message.headers` does not keep the order and repetition of the headers.
      body: await new Response(message.raw).arrayBuffer(),
    });
    if (res.ok) return;
    const { smtp_reply: reply } = await res.json().catch(() => ({}));
    if (reply?.startsWith('5')) return message.setReject(reply.slice(0, 500));
    // This is not the sender's fault. Throwing makes the sender try again.
    throw new Error(`The service responded with ${res.status}.`);
  },
};
