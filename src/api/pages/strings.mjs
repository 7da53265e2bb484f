/**
 * All texts of the pages, for use on the server. Browsers get a smaller version with only the texts that
 * their modules use.
 */
import texts from './strings.json' with { type: 'json' };

export { texts };
