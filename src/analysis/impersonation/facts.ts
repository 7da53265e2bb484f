/** A sign that receivers read as speaking for somebody else; domains and public names only. */
export interface ImpersonationSign {
  readonly id:
    | 'brand_name'
    | 'brand_domain'
    | 'brand_link'
    | 'link_domain'
    | 'embedded_domain'
    | 'near_domain'
    | 'mixed_letters'
    | 'hidden_letters'
    | 'money_reply'
    | 'wording'
    | 'mail_system';
  /** What the reader sees, or is meant to think of. */
  readonly shown: string;
  /** The domain that it really is. */
  readonly real: string;
}
