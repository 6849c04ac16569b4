import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A shop's cart service with a planted leak, for the pair shop-before and
 * shop-after.
 *
 * The story: every visit registers a listener with the event bus and nobody
 * takes it out again; sessions are put into a map by number and never expire.
 * A cache of prices is emptied meanwhile, and the catalogue does not change.
 *
 * The program counts what it has planted while it plants it. It prints
 * "READY name" and waits for a line on standard input wherever a dump is to be
 * taken, and prints "EXPECT class count" for what the next dump must hold.
 */
public final class Shop {
	/** What leaks: one for each visit, 64 bytes of payload in each. */
	static final class CartListener {
		final Session session;
		final byte[] buffer = new byte[1031];

		CartListener(Session session) {
			this.session = session;
		}
	}

	static final class Session {
		final int number;
		final Cart cart = new Cart();
		Session previous;

		Session(int number, Session previous) {
			this.number = number;
			this.previous = previous;
		}
	}

	static final class Cart {
		long cents;
		boolean open = true;
	}

	/** Unchanged between the dumps. */
	static final class Article {
		final int number;
		final Article[] related = new Article[3];

		Article(int number) {
			this.number = number;
		}
	}

	/** Shrinks: the cache is emptied before the second dump. */
	static final class CachedPrice {
		final long cents;
		final float discount = 0.5f;

		CachedPrice(long cents) {
			this.cents = cents;
		}
	}

	static final class EventBus {
		final List<CartListener> listeners = new ArrayList<>();
	}

	static final EventBus BUS = new EventBus();
	static final Map<Integer, Session> SESSIONS = new HashMap<>();
	static final List<Article> CATALOGUE = new ArrayList<>();
	static List<CachedPrice> prices = new ArrayList<>();
	static final Map<String, Integer> PLANTED = new TreeMap<>();
	static Session last;

	static void planted(Class<?> c, int count) {
		PLANTED.merge(c.getTypeName(), count, Integer::sum);
	}

	static void visit(int number) {
		last = new Session(number, last);
		SESSIONS.put(number, last);
		BUS.listeners.add(new CartListener(last));
		planted(Session.class, 1);
		planted(Cart.class, 1);
		planted(CartListener.class, 1);
	}

	static void stock(int articles) {
		for (int i = 0; i < articles; i++) {
			Article a = new Article(i);
			for (int r = 0; r < Math.min(i, 3); r++)
				a.related[r] = CATALOGUE.get(i - 1 - r);
			CATALOGUE.add(a);
			planted(Article.class, 1);
			planted(Article[].class, 1);
		}
	}

	static void price(int count) {
		prices = new ArrayList<>();
		PLANTED.remove(CachedPrice.class.getTypeName());
		for (int i = 0; i < count; i++)
			prices.add(new CachedPrice(i * 99L));
		planted(CachedPrice.class, count);
	}

	static void pause(String name) throws Exception {
		PLANTED.forEach((c, n) ->
			System.out.println("EXPECT " + c + " " + n));
		System.out.println("READY " + name);
		System.out.flush();
		int c = System.in.read();
		while (c != '\n' && c != -1)
			c = System.in.read();
	}

	public static void main(String[] args) throws Exception {
		planted(EventBus.class, 1);
		stock(321);
		price(900);
		for (int i = 0; i < 120; i++)
			visit(i);
		pause("before");
		for (int i = 120; i < 1370; i++)
			visit(i);
		price(40);
		pause("after");
	}
}
